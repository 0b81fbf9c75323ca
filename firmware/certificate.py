"""The page's certificate: taken from its files, or said in plain words why it cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from hardware.errors import foreign

if TYPE_CHECKING:
    import ssl


class CertificateFault(ValueError):
    """The certificate or its key cannot be used; the message names the file and what to do."""


LONGEST: Final = 1_000_000
"""So many bytes of a certificate's file are looked at: some files never end."""


def secured(certificate: str, key: str) -> ssl.SSLContext | None:
    """What serves the page over https with these PEM files; None where there are none. Raises CertificateFault."""
    if not certificate:
        return None
    for setting, name in (("page.certificate", certificate), ("page.key", key)):
        try:
            with Path(name).open("rb") as file:
                text = file.read(LONGEST)
        except FileNotFoundError:
            raise CertificateFault(f"{setting}: there is no file {name}: name one that is there, or none") from None
        except PermissionError:
            raise CertificateFault(f"{setting}: {name} may not be read: let the board's user read it") from None
        except OSError as error:
            raise CertificateFault(f"{setting}: {name} cannot be read: {foreign(error.strerror or error)}") from None
        if b"-----BEGIN" not in text:
            raise CertificateFault(f"{setting}: {name} is no PEM file: convert it, or name the file beside it")
        if setting == "page.key" and b"ENCRYPTED" in text:
            raise CertificateFault(f"{setting}: {name} has a password, which nobody could type: take it off")
    import ssl  # some milliseconds that a board without a certificate does not need

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise CertificateFault(
                f"page.key: {key} is not the key of {certificate}: name the one it was made with"
            ) from None
        raise CertificateFault(
            f"page.certificate: {certificate} and {key} cannot be used together ({foreign(error.reason or error)}): "
            "name a certificate and its key, both whole"
        ) from None
    return context
