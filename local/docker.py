"""The Docker engine, called through its command line."""

import ipaddress
import json
import subprocess

from local.progress import LocalError

ANSWER_SECONDS_MAX = 20


def ask(*arguments: str) -> str:
    """Run a short docker command; return its output. Raises: LocalError."""
    try:
        done = subprocess.run(
            ["docker", *arguments],
            capture_output=True,
            text=True,
            check=True,
            timeout=ANSWER_SECONDS_MAX,
        )
    except FileNotFoundError:
        raise LocalError(
            "`docker` is not installed: sam local invoke needs a Docker engine"
        ) from None
    except subprocess.TimeoutExpired:
        raise LocalError("the Docker engine does not answer") from None
    except subprocess.CalledProcessError as error:
        raise LocalError(f"docker {arguments[0]}: {error.stderr.strip()}") from None
    return done.stdout.strip()


def check() -> None:
    """Raise LocalError if no engine answers."""
    ask("version", "--format", "{{.Server.Version}}")


def gateway() -> str:
    """Return the address of the engine's machine in its containers' network, or ""."""
    networks: list[dict[str, str]] = json.loads(
        ask("network", "inspect", "bridge", "--format", "{{json .IPAM.Config}}")
    )
    return next(filter(None, map(_gateway, networks)), "")


def _gateway(network: dict[str, str]) -> str:
    """Return an IPv4 network's gateway: by default the first address."""
    subnet = ipaddress.ip_network(network["Subnet"])
    if isinstance(subnet, ipaddress.IPv6Network):
        return ""
    return network.get("Gateway") or str(next(subnet.hosts()))
