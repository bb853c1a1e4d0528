"""How the tables of the store came to be, step by step, for alembic."""
