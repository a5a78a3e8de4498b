def f(xs):
    for x in xs:
        try:
            if x:
                return x
            g(x)
        except ValueError as e:
            continue
        finally:
            done()
