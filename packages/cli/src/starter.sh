#!/bin/sh
# Written by drawbridge ssh-config. Starts drawbridge, also after an upgrade has moved it or Node.
## The program as it was started then: an executable alone, or Node and the script.
[ -x @PROGRAM@ ] && exec @PROGRAM@ "$@" # @ALONE?@
if [ -f @SCRIPT@ ]; then # @SCRIPTED?@
  [ -x @PROGRAM@ ] && exec @PROGRAM@ @SCRIPT@ "$@" # @SCRIPTED?@
  command -v node >/dev/null 2>&1 && exec node @SCRIPT@ "$@" # @SCRIPTED?@
fi # @SCRIPTED?@
PATH=$PATH:/usr/local/bin:/opt/homebrew/bin:$HOME/.local/bin:$HOME/.volta/bin:$HOME/.npm-global/bin
for folder in "$HOME"/.nvm/versions/node/*/bin "$HOME"/.local/share/fnm/node-versions/*/installation/bin; do
  [ -x "$folder/drawbridge" ] && PATH=$folder:$PATH
done
command -v drawbridge >/dev/null 2>&1 && exec drawbridge "$@"
echo "drawbridge: the program is no longer where it was, and not on PATH; install it again, then run: drawbridge ssh-config" >&2
exit 1
