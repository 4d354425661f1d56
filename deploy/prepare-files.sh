#!/bin/sh
# Checks the files that Compose mounts, and lets the group of the processes read them: a file that is mounted keeps the owner
# and the mode that it has on the host. Runs as root of a container before all others, and prints no content.
# Use: prepare-files.sh FOLDER GROUP FILE...
set -eu
folder=$1
group=$2
shift 2
failed=''

problem() {
  echo "error $1 deploy/$2: $3" >&2
  echo "  hint $4" >&2
  failed=yes
}

for file in "$@"; do
  path=$folder/$file
  if [ -d "$path" ]; then
    problem FILE_NOT_REGULAR "$file" 'it is a folder' "remove it (rmdir deploy/$file), and write the file"
  elif [ ! -f "$path" ]; then
    problem FILE_UNREADABLE "$file" 'there is no such file' 'write it: docs/guides/production.md says how'
  elif [ ! -s "$path" ]; then
    problem FILE_EMPTY "$file" 'the file is empty' 'write it: docs/guides/production.md says how'
  elif ! chgrp "$group" "$path" || ! chmod u+r,g=r,o= "$path"; then
    problem FILE_UNREADABLE "$file" 'its group cannot be changed' "on the host: sudo chgrp $group deploy/$file && sudo chmod 640 deploy/$file"
  elif [ "$file" = secrets/database_password ] && tr -d '\n' <"$path" | LC_ALL=C grep -q '[^!-~]'; then
    # PostgreSQL would take them as a part of the password, and the URL of the database has another one.
    problem ENCODING_NOT_UTF8 "$file" 'the password has a byte order mark, a carriage return, white space or a character that is not ASCII' \
      'write it again: openssl rand -hex 24'
  fi
done
[ -z "$failed" ]
