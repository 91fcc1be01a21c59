"""Agents that are any program, over JSON lines: ``cmd:./my-bot --flag`` is started, ``tcp:HOST:PORT`` is connected to.

`messages` is what is said, `lines` how it travels, `connections` where it goes, `talk` who asks and what becomes of
those who do not answer, `view_json` how thousands of tables are written down quickly, `bot` the agent.
"""
