"""The bars of the console's charts."""

from orderdesk_cli.console.charts import HEIGHT, WIDTH, bar_chart


def test_bars_are_as_high_as_their_sizes_and_stay_inside() -> None:
    chart = bar_chart("n", "u", [(str(size), size, f"{size}!") for size in (0, 5, 10)])
    assert [bar.height for bar in chart.bars] == [0, HEIGHT // 2, HEIGHT]
    assert [(bar.y + bar.height, bar.value) for bar in chart.bars] == [
        (HEIGHT, "0!"),
        (HEIGHT, "5!"),
        (HEIGHT, "10!"),
    ]
    assert all(bar.x >= 0 and bar.x + bar.width <= WIDTH for bar in chart.bars)


def test_without_any_size_all_bars_are_flat() -> None:
    assert [bar.height for bar in bar_chart("n", "u", [("a", 0, "0")]).bars] == [0]


def test_a_full_size_is_the_height_of_the_chart() -> None:
    [bar] = bar_chart("n", "%", [("a", 50, "50")], full=100).bars
    assert bar.height == HEIGHT // 2


def test_of_many_bars_some_have_their_label() -> None:
    chart = bar_chart("n", "u", [(f"{hour:02}", 1, "1") for hour in range(24)])
    assert [bar.tick for bar in chart.bars if bar.tick][:3] == ["00", "03", "06"]
