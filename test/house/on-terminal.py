"""Runs a command on a pseudo terminal, and presses Enter at each question of a prompt.

The output after a mark (RS NAME US) goes to the file $OUT/NAME.out, as a person sees it: without the codes of the
terminal. A terminal without windows has no size of its own; it is wide, so that no line is broken.
"""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios

QUIET_SECONDS = 0.3
# The end of a question: what is asked is shown, and the program waits.
ASKS = re.compile(rb"\xe2\x97\x86 (?!.*\x1b\[J)", re.DOTALL)
CODES = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\r")

pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 100, 250, 0, 0))

output = b""
seen = 0
while True:
    ready, _, _ = select.select([terminal], [], [], QUIET_SECONDS)
    if ready:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        output += piece
    elif ASKS.search(output, seen):
        seen = len(output)
        os.write(terminal, b"\r")

_, status = os.waitpid(pid, 0)
for name, text in re.findall(rb"\x1e(\d+)\x1f([^\x1e]*)", output):
    with open(os.path.join(os.environ["OUT"], f"{int(name)}.out"), "wb") as file:
        file.write(CODES.sub(b"", text))
sys.exit(os.waitstatus_to_exitcode(status))
