# --- strict mode
#!/usr/bin/env bash
set -euo pipefail

for file in "$@"; do
  lines=$(wc -l < "$file")
  echo "$file: $lines"
done
# --- usage
usage() {
  echo "usage: backup FOLDER TARGET" >&2
  exit 2
}

[ "$#" -eq 2 ] || usage
tar -czf "$2" "$1"
# --- clean up
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

curl -fsS https://example.org/data.csv -o "$work/data.csv"
sort -u "$work/data.csv" > data.csv
# --- options
verbose=no
while getopts 'vo:' option; do
  case "$option" in
    v) verbose=yes ;;
    o) output=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
# --- retry
retry() {
  local times=$1
  shift
  for ((try = 1; try <= times; try++)); do
    "$@" && return 0
    sleep "$try"
  done
  return 1
}
# --- largest files
find . -type f -size +1M -print0 |
  xargs -0 du -h |
  sort -rh |
  head -n 10 |
  awk '{ print NR ". " $2 " (" $1 ")" }'
# --- read lines
while IFS=, read -r name mail _; do
  if [[ $mail == *@example.org ]]; then
    printf '%-20s %s\n' "$name" "$mail"
  fi
done < people.csv
# --- rename
for picture in *.jpeg; do
  [ -e "$picture" ] || continue
  mv -- "$picture" "${picture%.jpeg}.jpg"
done
echo "$(ls -- *.jpg | wc -l) pictures"
# --- count
declare -A count
while read -r word; do
  count[$word]=$((${count[$word]:-0} + 1))
done < words.txt

for word in "${!count[@]}"; do
  echo "$word ${count[$word]}"
done
# --- wait for port
wait_for() {
  local host=$1 port=$2
  until (exec 3<> "/dev/tcp/$host/$port") 2> /dev/null; do
    echo "waiting for $host:$port"
    sleep 1
  done
}
# --- log
log() {
  printf '%s %s\n' "$(date +%H:%M:%S)" "$*" >> "${LOG:-run.log}"
}

log "started"
make all || log "failed with $?"
log "finished"
# --- free disk
used=$(df --output=pcent / | tail -n 1 | tr -dc '0-9')
if ((used > 90)); then
  echo "The disk is ${used} percent full." >&2
  exit 1
fi
