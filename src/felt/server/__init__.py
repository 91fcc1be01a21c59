"""The service: live tables, accounts, studying, `/decide`, and the hand-rank server. Read `web.app` first."""
