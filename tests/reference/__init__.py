"""The game a second time: plain Python, from the rules alone, to judge the compiled core by."""
