"""A desk of plain files that can be played: its tools and what they answer, its records, its cases. No model is needed.

folder = desk_folder.load("lapwing")             a shipped desk, or a folder
folder, mistakes = desk_folder.checked(path)     every mistake at once
folder.answered("find_booking", {...})           what a tool answers
"""
