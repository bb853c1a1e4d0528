SHAPES: dict[str, tuple[int, ...]]
