# Shared by run and test: install what is missing, configure, build. Sourced, not run.
set -eu
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${DECODESCOPE_BUILD_DIR:-$root/build/release}
jobs=$(nproc)

say() { printf '==> %s\n' "$*" >&2; }

# Installs the packages of packages.txt that dpkg does not have. Says which; asks for root only then.
install_missing() {
  local missing=() package
  while read -r package; do
    case $package in ''|'#'*) continue ;; esac
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done < "$root/packaging/packages.txt"
  ((${#missing[@]})) || return 0
  say "installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "root is needed for: apt-get install ${missing[*]}"
      exit 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# configure [cmake options]: only when there is no build yet or an option changed.
configure() {
  local stamp=$build/.configured
  local wanted="$*"
  if [ ! -f "$build/build.ninja" ] || [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
    say "configuring in $build"
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >&2
    printf '%s' "$wanted" > "$stamp"
  fi
}

compile() {
  say "building (up to date when nothing changed)"
  ninja -C "$build" -j "$jobs" "$@" >&2
}
