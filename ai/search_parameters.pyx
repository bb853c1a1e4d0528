"""The parameters of the search of turns as measured best, documented in its `.pxd`."""


cdef Parameters read_parameters(dict given) except *:
    """Give the parameters with other values by name; TypeError for a name that is none."""
    cdef Parameters parameters
    parameters.exploration = given.pop("exploration", 1.0)
    parameters.temperature = given.pop("temperature", 3.0)
    parameters.share = given.pop("share", 0.7)
    parameters.half_lead = given.pop("half_lead", 20.0)
    parameters.caution = given.pop("caution", 0.5)
    parameters.reduction = given.pop("reduction", 0.1)
    parameters.root_level = given.pop("root_level", 2)
    parameters.leaf_level = given.pop("leaf_level", 0)
    parameters.widening = given.pop("widening", 64)
    parameters.expansion_threshold = given.pop("expansion_threshold", 3)
    parameters.turns_deep = min(given.pop("turns_deep", LONGEST_PATH), LONGEST_PATH - 1)
    parameters.playout = given.pop("playout", 0.5)
    parameters.last_turn_work = given.pop("last_turn_work", 20000)
    parameters.one_deal = given.pop("one_deal", False)
    if given:
        raise TypeError(f"no parameters: {', '.join(given)}")
    return parameters
