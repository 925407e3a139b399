"""Keeps secrets out of what is stored: known values and text that looks like a key."""

from __future__ import annotations

from collections.abc import Mapping
import re

REMOVED = '[secret removed]'
MIN_VALUE = 6
# Names of environment variables that hold secrets, by their customary words.
_NAME = re.compile(r'KEY|TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|PRIVATE', re.IGNORECASE)
# The forms in which vendors write their keys: a prefix of their own, then a long run of letters and digits.
_FORMS = re.compile(
    r'-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)'
    r'|\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}'
    r'|\bAIza[A-Za-z0-9_-]{30,}'
    r'|\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|hf|gsk|xai|xox[abprs])[-_][A-Za-z0-9_-]{16,}'
    r'|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b'
    r'|\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]*'
    r'|(?<=\bBearer )[A-Za-z0-9._~+/=-]{8,}'
    r'|(?<=\bBasic )[A-Za-z0-9+/=]{12,}'
    r'|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)',
    re.DOTALL,
)
_ASSIGNED = re.compile(
    r"""((?:api[-_ ]?key|access[-_ ]?token|secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;}]{6,}""", re.IGNORECASE
)


class Redactor:
    """Removes secrets from text. `environment` gives the values that are secret, told by the names of the variables."""

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        found = {value for name, value in (environment or {}).items() if _is_secret(name, value)}
        longest_first = sorted(found, key=len, reverse=True)
        self._values = re.compile('|'.join(map(re.escape, longest_first))) if found else None

    def __call__(self, text: str) -> str:
        """Return the text with every secret in it replaced."""
        if self._values is not None:
            text = self._values.sub(REMOVED, text)
        return _ASSIGNED.sub(rf'\1{REMOVED}', _FORMS.sub(REMOVED, text))


def _is_secret(name: str, value: str) -> bool:
    """Tell whether a variable holds a secret. A path is none: a socket or a file of keys, not the key."""
    return bool(_NAME.search(name)) and len(value) >= MIN_VALUE and not value.startswith('/')
