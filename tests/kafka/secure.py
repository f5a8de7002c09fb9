"""A broker that asks who one is: TLS with client certificates, SASL over plain TCP and over TLS, tokens."""
import subprocess
from pathlib import Path

from broker import Broker, free_ports

SECRETS = {"plain": "alice-Geheim-4711", "scram": "carol-Geheim-0815", "key": "schluessel-Geheim-1234", "store": "laden-Geheim-5678"}
SCRAM = ("SCRAM-SHA-256", "SCRAM-SHA-512")
PROPERTIES = """
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL,TOKEN:SASL_PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.token.sasl.enabled.mechanisms=OAUTHBEARER
listener.name.token.connections.max.reauth.ms=4000
listener.name.token.oauthbearer.sasl.jaas.config=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";
ssl.keystore.type=PEM
ssl.keystore.location=@DIR@/tls/server.pem
ssl.truststore.type=PEM
ssl.truststore.location=@DIR@/tls/ca.crt
listener.name.ssl.ssl.client.auth=required
"""


def openssl(folder, *words, text=None):
    done = subprocess.run(["openssl", *words], cwd=folder, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def certificates(folder):
    """ca.crt; server.pem; client.crt, client.key and the same encrypted, with the certificate as PEM, and as PKCS12; other.crt of a CA that has signed nothing."""
    folder.mkdir()
    for name in ("ca", "other"):
        openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", f"/CN=Silt test {name}", "-keyout", f"{name}.key", "-out", f"{name}.crt")
    for name, use in (("server", "serverAuth"), ("client", "clientAuth")):
        openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-subj", f"/CN={name}", "-keyout", f"{name}.key", "-out", f"{name}.csr")
        (folder / "extensions").write_text(f"subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage={use}\nbasicConstraints=CA:FALSE\n")
        openssl(folder, "x509", "-req", "-in", f"{name}.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30", "-extfile", "extensions", "-out", f"{name}.crt")
    openssl(folder, "pkcs8", "-topk8", "-nocrypt", "-in", "server.key", "-out", "server.p8")
    (folder / "server.pem").write_text((folder / "server.p8").read_text() + (folder / "server.crt").read_text())
    openssl(folder, "pkcs8", "-topk8", "-in", "client.key", "-out", "locked.key", "-passout", "stdin", text=SECRETS["key"] + "\n")
    (folder / "locked.pem").write_text((folder / "locked.key").read_text() + (folder / "client.crt").read_text())
    openssl(folder, "pkcs12", "-export", "-inkey", "client.key", "-in", "client.crt", "-certfile", "ca.crt", "-out", "client.p12", "-passout", "stdin", text=SECRETS["store"] + "\n")


class SecureBroker(Broker):
    """`bootstrap` is open, for the tests themselves; `at[NAME]` are the listeners SSL, SASL_PLAINTEXT, SASL_SSL and TOKEN. Users: alice (PLAIN), carol (SCRAM)."""

    def __init__(self, folder, jars):
        super().__init__(folder, jars)
        self.tls = self.folder / "tls"
        certificates(self.tls)
        names = ("SSL", "SASL_PLAINTEXT", "SASL_SSL", "TOKEN")
        self.at = {name: f"127.0.0.1:{port}" for name, port in zip(names, free_ports(len(names)))}
        more = "".join(f",{name}://{where}" for name, where in self.at.items())
        lines = [line + more if line.startswith(("listeners=", "advertised.listeners=")) else line for line in self.properties.read_text().splitlines()
                 if not line.startswith("listener.security.protocol.map=")]
        text = "\n".join(lines) + PROPERTIES.replace("@DIR@", str(self.folder))
        for listener in ("sasl_plaintext", "sasl_ssl"):
            text += (f"listener.name.{listener}.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_alice=\"{SECRETS['plain']}\";\n"
                     + "".join(f"listener.name.{listener}.{mechanism.lower()}.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;\n" for mechanism in SCRAM))
        self.properties.write_text(text)

    def start(self):
        from confluent_kafka.admin import ScramCredentialInfo, ScramMechanism, UserScramCredentialUpsertion
        super().start()
        admin = self.admin()
        for mechanism in (ScramMechanism.SCRAM_SHA_256, ScramMechanism.SCRAM_SHA_512):
            wanted = UserScramCredentialUpsertion("carol", ScramCredentialInfo(mechanism, 4096), SECRETS["scram"].encode())
            for future in admin.alter_user_scram_credentials([wanted]).values():
                future.result(30)


def left_behind(folder, *but):
    """Files below a folder that hold one of the secrets, as text or as base64; `but`: those that were given it."""
    import base64
    forms = [form for secret in SECRETS.values() for form in (secret.encode(), base64.b64encode(secret.encode()).rstrip(b"="))]
    return [str(path) for path in Path(folder).rglob("*") if path.is_file() and path not in but and any(form in path.read_bytes() for form in forms)]
