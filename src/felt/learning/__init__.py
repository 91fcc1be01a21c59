"""Learning: environments in which agents are trained.

Import `felt.learning.environments`; it needs the extra ``envs`` (Gymnasium and PettingZoo).
"""
