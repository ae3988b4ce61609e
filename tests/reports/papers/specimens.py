"""Specifications with as many panels and rows as a test needs."""


def dots(rows, **further):
    """Return a figure with a row of marks for each policy; the value of row ``n`` is ``n``."""
    axes = {
        "x": {"field": "wait", "type": "quantitative", "title": "Mean wait (min)", "scale": {"nice": False}},
        "y": {
            "field": "policy",
            "type": "nominal",
            "title": None,
            "sort": list(dict.fromkeys(r["policy"] for r in rows)),
        },
    }
    config = {"font": "DejaVu Sans", "axis": {"labelFontSize": 11}, "legend": {}}
    view = {"mark": "point", "encoding": axes, "height": {"step": 20}}
    return {"data": {"values": rows}, "config": config, **({"spec": view, **further} if further else view)}


def in_panels(panels, policies):
    rows = [
        {"panel": f"log {panel:02}", "policy": f"rule {policy:02}", "wait": panel * policies + policy + 1}
        for panel in range(panels)
        for policy in range(policies)
    ]
    return rows, {"field": "panel", "type": "nominal", "title": None, "sort": sorted({row["panel"] for row in rows})}
