"""A test certificate authority, and trusted and untrusted server certificates."""

import datetime as dt
import ssl
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_DAY = dt.timedelta(days=1)


@dataclass(frozen=True)
class Authority:
    """A root certificate, its key, and a folder for the certificates that it issues."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey
    folder: Path

    @property
    def pem(self) -> str:
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def trusting(self) -> ssl.SSLContext:
        """Return a client context that trusts only this authority."""
        context = ssl.create_default_context(cadata=self.pem)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        return context

    def serving(self, name: x509.GeneralName, *, age_days: int = 1) -> ssl.SSLContext:
        """Return a server context for a name; the certificate is valid for 30 days."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = _certificate(
            "server", "authority", key, self.key, name=name, age_days=age_days
        )
        return _server_context(self.folder, key, certificate)


def authority(folder: Path) -> Authority:
    key = ec.generate_private_key(ec.SECP256R1())
    return Authority(_certificate("authority", "authority", key, key), key, folder)


def self_signed(folder: Path, name: x509.GeneralName) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    return _server_context(folder, key, _certificate("server", "server", key, key, name=name))


def _certificate(
    subject: str,
    issuer: str,
    key: ec.EllipticCurvePrivateKey,
    issuer_key: ec.EllipticCurvePrivateKey,
    *,
    name: x509.GeneralName | None = None,
    age_days: int = 1,
) -> x509.Certificate:
    begins = dt.datetime.now(dt.UTC) - age_days * _DAY
    builder = (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(begins + 30 * _DAY)
        .add_extension(x509.BasicConstraints(ca=name is None, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
    )
    if name is None:
        builder = builder.add_extension(_CERTIFIES, critical=True)
    else:
        builder = builder.add_extension(x509.SubjectAlternativeName([name]), critical=False)
    return builder.sign(issuer_key, hashes.SHA256())


_CERTIFIES = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=True,
    encipher_only=False,
    decipher_only=False,
)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _server_context(
    folder: Path, key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate
) -> ssl.SSLContext:
    file = folder / f"{certificate.serial_number}.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
