# Source this file (bash, zsh) to get python, rta and the built packages in the current shell:
#     source scripts/ros_env.sh
# `make setup` writes the settings; they are plain exports, so sourcing twice changes nothing.

if [ -n "${BASH_SOURCE:-}" ]; then
    _rta_root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
elif [ -n "${ZSH_VERSION:-}" ]; then
    _rta_root="$(eval 'cd "$(dirname "${(%):-%x}")/.." && pwd')"
else
    _rta_root="$PWD"
fi

_rta_prepend() { # NAME DIRECTORY: put DIRECTORY first in the path list NAME, once
    eval "_rta_list=\"\${$1:-}\""
    case ":$_rta_list:" in
        *":$2:"*) ;;
        *) export "$1=$2${_rta_list:+:$_rta_list}" ;;
    esac
}

if [ -f "$_rta_root/.venv/ros_env_settings.sh" ]; then
    . "$_rta_root/.venv/ros_env_settings.sh"
    _rta_status=0
else
    echo "ros_env.sh: nothing is set up in $_rta_root yet: run 'make setup' there first" >&2
    _rta_status=1
fi

unset -f _rta_prepend
unset _rta_root _rta_list
return $_rta_status
