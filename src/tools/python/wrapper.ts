/**
 * The program that runs the script of an agent in Python. It reads the script and its limits from
 * the descriptor 4 as one line of JSON, and gets the answers of its calls there. It writes calls
 * and the end of the script to the descriptor 3. What the script prints goes to stdout.
 */
export const WRAPPER = String.raw`
import _thread, ast, json, linecache, os, sys, traceback

FILE = "<script>"


class ToolError(Exception):
    """A tool has failed. The text says why."""


def limit(name, most):
    try:
        import resource
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, least))
    except (ImportError, AttributeError, ValueError, OSError):
        pass  # This system has no such limit.


def send(message):
    rest = (json.dumps(message, allow_nan=False) + "\n").encode()
    while rest:
        rest = rest[os.write(3, rest):]


def function(name, answers, lock):
    def call(**args):
        with lock:
            send({"kind": "call", "name": name, "args": args})
            answer = json.loads(answers.readline())
        if not answer["ok"]:
            raise ToolError(answer["problem"])
        return answer["value"]

    call.__name__ = call.__qualname__ = name
    return call


def run(code, space):
    tree = ast.parse(code, FILE)
    has_value = bool(tree.body) and isinstance(tree.body[-1], ast.Expr)
    last = ast.Expression(tree.body.pop().value if has_value else ast.Constant(None))
    exec(compile(tree, FILE, "exec", dont_inherit=True), space)
    last = compile(ast.fix_missing_locations(last), FILE, "eval", dont_inherit=True)
    return eval(last, space)


def shown(value, space):
    found = [each for each in (space.get("result"), value, "") if each is not None]
    return found[0] if isinstance(found[0], str) else repr(found[0])


def told(error):
    """The traceback, with the lines of the script only."""
    try:
        whole = traceback.TracebackException.from_exception(error)
        chain = [whole]
        while chain:
            each = chain.pop()
            own = [frame for frame in each.stack if frame.filename == FILE]
            each.stack = traceback.StackSummary.from_list(own)
            chain.extend(other for other in (each.__cause__, each.__context__) if other)
        return "".join(whole.format()).rstrip()
    except Exception:
        return type(error).__name__


def main():
    answers = open(4, encoding="utf-8", newline="\n")
    task = json.loads(answers.readline())
    for descriptor in (3, 4):
        os.set_inheritable(descriptor, False)
    for name, most in task["limits"].items():
        limit(name, most)
    code, chars_max = task["code"], task["chars_max"]
    linecache.cache[FILE] = (len(code), None, code.splitlines(True), FILE)
    lock = _thread.allocate_lock()
    space = {name: function(name, answers, lock) for name in task["functions"]}
    space.update({"__name__": "__main__", "ToolError": ToolError})
    text = problem = ""
    try:
        try:
            value = run(code, space)
        except SystemExit as ended:
            if ended.code not in (None, 0):
                raise
            value = None
        text = shown(value, space)
    except BaseException as error:
        problem = told(error)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass  # The script has closed or replaced it.
    send({"kind": "ended", "value": text[:chars_max], "problem": problem[-chars_max:]})


# An exit does not wait for threads of the script.
try:
    main()
except BaseException:
    os._exit(1)
os._exit(0)
`;
