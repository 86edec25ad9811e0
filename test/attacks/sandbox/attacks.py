# Tries many ways out of a sandbox and prints, as JSON, what came of each: the error's name, or what it got.
import ctypes, errno, fcntl, json, mmap, os, resource, signal, socket, subprocess, sys, threading, time

given = json.loads(open("given.json").read())
libc = ctypes.CDLL(None, use_errno=True)
results = {}


def attack(name):
    def record(work):
        try:
            results[name] = work()
        except OSError as error:
            results[name] = errno.errorcode.get(error.errno, type(error).__name__)
        except Exception as error:
            results[name] = type(error).__name__

    return record


def call(name, *args):
    if getattr(libc, name)(*args) >= 0:
        return "done"
    return errno.errorcode[ctypes.get_errno()]


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return "written"


@attack("connect to the internet")
def _():
    socket.create_connection(("192.0.2.1", 80), 2)
    return "connected"


@attack("connect to a server of this machine")
def _():
    socket.create_connection(("127.0.0.1", given["port"]), 2)
    return "connected"


@attack("connect over IPv6")
def _():
    socket.create_connection(("::1", given["port"]), 2)
    return "connected"


@attack("ask for a name")
def _():
    socket.getaddrinfo("example.org", 80)
    return "resolved"


@attack("connect to an abstract socket")
def _():
    socket.socket(socket.AF_UNIX).connect("\0" + given["abstract"])
    return "connected"


@attack("connect to a socket in a folder")
def _():
    socket.socket(socket.AF_UNIX).connect(given["socket"])
    return "connected"


@attack("open a raw socket")
def _():
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    return "opened"


@attack("find a network interface")
def _():
    return [name for _, name in socket.if_nameindex() if name != "lo"]


@attack("signal the engine by its number")
def _():
    os.kill(given["pid"], 0)
    return "signalled"


@attack("trace the engine")
def _():
    return call("ptrace", 16, given["pid"], 0, 0)


@attack("see other processes")
def _():
    named = [open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit()]
    return [one for one in named if "vitest" in one or "kernel/" in one]


@attack("read the engine's places from a command line")
def _():
    named = "".join(open(f"/proc/{pid}/cmdline").read() for pid in os.listdir("/proc") if pid.isdigit())
    return given["folder"] in named


@attack("read a secret from an environment")
def _():
    found = [name for name, value in os.environ.items() if given["secret"] in value]
    for pid in [pid for pid in os.listdir("/proc") if pid.isdigit()]:
        try:
            if given["secret"] in open(f"/proc/{pid}/environ").read():
                found.append(pid)
        except OSError:
            pass
    return found


@attack("reach the machine's files by a process")
def _():
    return "home" in os.listdir("/proc/1/root")


@attack("enter the namespaces of the first process")
def _():
    return call("setns", os.open("/proc/1/ns/mnt", os.O_RDONLY), 0)


@attack("inherit open files")
def _():
    places = []
    for one in os.listdir("/proc/self/fd"):
        try:
            places.append(os.readlink(f"/proc/self/fd/{one}"))
        except OSError:
            pass
    return [one for one in places if one.startswith("/") and one != "/dev/null"]


@attack("set a value of the kernel")
def _():
    return write("/proc/sys/kernel/core_pattern", "|/work/x")


@attack("press a magic key")
def _():
    return write("/proc/sysrq-trigger", "h")


@attack("raise its score against the memory killer")
def _():
    return write("/proc/self/oom_score_adj", "-1000")


@attack("find cgroups or sysfs")
def _():
    return os.listdir("/sys")


@attack("find a device")
def _():
    known = "core fd full null ptmx pts random shm stderr stdin stdout tty urandom zero".split()
    return [one for one in os.listdir("/dev") if one not in known]


@attack("make a device")
def _():
    os.mknod("disk", 0o600 | 0o060000, os.makedev(254, 0))
    return "made"


@attack("read passwords")
def _():
    return open("/etc/shadow").read()


@attack("list users")
def _():
    return open("/etc/passwd").read()


@attack("read the home of root")
def _():
    return os.listdir("/root")


@attack("read homes")
def _():
    return os.listdir("/home")


@attack("read keys")
def _():
    return os.listdir(os.path.expanduser("~/.ssh"))


@attack("read the engine's folder")
def _():
    return os.listdir(given["folder"])


@attack("read along a link out of the folder")
def _():
    os.symlink(given["folder"], "out")
    return os.listdir("out")


@attack("leave a link as a result")
def _():
    os.symlink("/etc/passwd", "result.txt")
    return "left"


@attack("leave a pipe as a result")
def _():
    os.mkfifo("pipe.txt")
    return "left"


@attack("link a file of the system hard")
def _():
    os.link("/usr/bin/env", "env")
    return "linked"


for place in ["/", "/usr/bin", "/etc", "/opt/madrigal", "/dev", "/proc"]:

    @attack(f"write to {place}")
    def _():
        return write(f"{place}/new", "")


@attack("write to our Node")
def _():
    open("/opt/madrigal/node", "r+b").close()
    return "opened"


@attack("become root")
def _():
    os.setuid(0)
    return "root"


@attack("become root by a setuid program")
def _():
    found = [one for one in ["/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd"] if os.path.exists(one)]
    ids = {os.geteuid()}
    for one in found:
        shown = subprocess.run([one, "--version"], capture_output=True, text=True)
        ids.add(os.geteuid())
    flags = open("/proc/self/status").read()
    usr = next(line for line in open("/proc/mounts") if line.split()[1] == "/usr")
    return [len(ids), "NoNewPrivs:\t1" in flags, "nosuid" in usr]


@attack("have a capability")
def _():
    lines = [line.split() for line in open("/proc/self/status") if line.startswith("Cap")]
    return [name for name, value in lines if name != "CapBnd:" and int(value, 16) != 0]


@attack("mount")
def _():
    return call("mount", b"none", b"/tmp", b"tmpfs", 0, None)


@attack("make the system writable")
def _():
    return call("mount", b"none", b"/usr", None, 32 | 4096, None)


@attack("unmount")
def _():
    return call("umount2", b"/usr", 2)


@attack("make a user namespace")
def _():
    return call("unshare", 0x10000000)


@attack("make a network namespace")
def _():
    return call("unshare", 0x40000000)


@attack("change the root")
def _():
    os.chroot("/work")
    return "changed"


@attack("change the name of the machine")
def _():
    socket.sethostname("mine")
    return "changed"


@attack("set the time")
def _():
    time.clock_settime(time.CLOCK_REALTIME, 0)
    return "set"


@attack("load a module")
def _():
    return call("init_module", None, 0, b"")


@attack("push keys into a terminal")
def _():
    got = []
    for fd in range(3):
        try:
            fcntl.ioctl(fd, 0x5412, b"x")
            got.append(fd)
        except OSError:
            pass
    try:
        fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x")
        got.append("tty")
    except OSError:
        pass
    return got


@attack("raise a limit")
def _():
    raised = []
    for name in ["NPROC", "DATA", "FSIZE", "CPU", "NOFILE"]:
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (resource.RLIM_INFINITY,) * 2)
            raised.append(name)
        except (OSError, ValueError):
            pass
    return raised


@attack("fill a file")
def _():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("big", "wb") as file:
        while True:
            file.write(bytes(1 << 20))


@attack("fill a sparse file")
def _():
    os.truncate("big", 1 << 40)
    return "made"


for place in ["/tmp", "/dev/shm"]:

    @attack(f"fill {place}")
    def _():
        try:
            for number in range(1000):
                with open(f"{place}/{number}", "wb") as file:
                    file.write(bytes(1 << 20))
        finally:
            for one in os.listdir(place):
                os.unlink(f"{place}/{one}")
        return "filled"


os.path.exists("big") and os.unlink("big")


@attack("take memory")
def _():
    return len(bytearray(1 << 30))


@attack("stay behind")
def _():
    subprocess.Popen(
        [sys.executable, "-c", f"import time; time.sleep(600)  # {given['secret']}"],
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return "started"


@attack("start threads without end")
def _():
    done = threading.Event()
    started = 0
    try:
        while started < 1000:
            threading.Thread(target=done.wait, daemon=True).start()
            started += 1
    except RuntimeError:
        return started < 64
    finally:
        done.set()
    return "started"


@attack("fork without end")
def _():
    children = []
    try:
        while len(children) < 1000:
            pid = os.fork()
            if pid == 0:
                time.sleep(60)
                os._exit(0)
            children.append(pid)
    except BlockingIOError:
        return len(children) < 64
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return "forked"


print("\033]0;mine\007\033[31m" + json.dumps(results))
