def f(x):
    match x:
        case 1 | "one":
            return 1
        case [a, *rest] if a:
            return rest
        case {"k": P(v, w=2)}:
            return v
