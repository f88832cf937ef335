"""Isolated sub-interpreters, each with its own GIL, two at a time. A program without numpy and pytest."""
import threading

CODE = """
import array, tumble
points = array.array("d", [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
vertices = memoryview(points).cast("B").cast("d", (4, 3))
faces = memoryview(array.array("i", [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3])).cast("B").cast("i", (4, 3))
for _ in range(20):
    model = tumble.Model(vertices, faces)
    assert tumble.collide(model, model) and tumble.count(model, model) == 16
    assert tumble.Query().collide(model, model)
    try:
        tumble.collide(model, 3)
    except TypeError:
        pass
"""


def modules():
    try:
        import _interpreters as interpreters  # 3.13

        return interpreters.create, interpreters.exec, interpreters.destroy
    except ImportError:
        import _xxsubinterpreters as interpreters

        return interpreters.create, interpreters.run_string, interpreters.destroy


def main():
    create, run, destroy = modules()
    errors = []

    def work():
        try:
            for _ in range(3):
                number = create()
                failure = run(number, CODE)
                destroy(number)
                assert failure is None, failure
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    exec(CODE)
    print("sub-interpreters: passed")


if __name__ == "__main__":
    main()
