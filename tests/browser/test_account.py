"""The account on the page: name, password, data, the code for a lost password, and its end."""

import json
from pathlib import Path

PASSWORD, OTHER = "correct horse", "battery staple"


def dialog_of(player, button):
    player.press(player.page.get_by_role("button", name=button).first)
    return player.page.get_by_role("dialog", name="Account")


def registered(player):
    """Register; the code that is shown."""
    dialog = dialog_of(player, "Register")
    dialog.get_by_label("Name", exact=True).fill(player.name)
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    player.press(dialog.get_by_role("button", name="Register"))
    code = dialog.get_by_test_id("recovery-code")
    code.wait_for()
    shown = code.inner_text()
    player.press(dialog.get_by_role("button", name="I have kept it"))
    player.page.get_by_role("button", name=f"Account: {player.name}").wait_for()
    return shown


def test_the_recovery_code_is_shown_once_and_opens_the_account(player, newcomer, screenshots):
    code = registered(player)
    assert code not in player.page.content()
    other = newcomer()
    dialog = dialog_of(other, "Log in")
    player.press(dialog.get_by_role("button", name="Lost your password?"))
    screenshots(other.page, "account-recover")
    dialog.get_by_label("Name").fill(player.name)
    dialog.get_by_label("Recovery code").fill("AAAA-AAAA-AAAA-AAAA-AAAA")
    dialog.get_by_label("New password").fill(OTHER)
    other.press(dialog.get_by_role("button", name="Set the password"))
    dialog.get_by_test_id("account-problem").filter(has_text="code").wait_for()
    dialog.get_by_label("Recovery code").fill(code)
    other.press(dialog.get_by_role("button", name="Set the password"))
    fresh = dialog.get_by_test_id("recovery-code")
    fresh.wait_for()
    screenshots(other.page, "account-code")
    assert fresh.inner_text() != code
    other.page.keyboard.press("Escape")  # closing it by any way is enough
    other.page.get_by_role("button", name=f"Account: {player.name}").wait_for()


def test_name_and_password_are_changed(player, screenshots):
    registered(player)
    page, name = player.page, f"{player.name} II"
    dialog = dialog_of(player, "Account:")
    screenshots(page, "account-own")
    player.press(dialog.get_by_role("button", name="Change the name"))
    dialog.get_by_label("New name").fill("a:b")
    player.press(dialog.get_by_role("button", name="Change the name"))
    dialog.get_by_test_id("account-problem").filter(has_text=":").wait_for()
    dialog.get_by_label("New name").fill(name)
    player.press(dialog.get_by_role("button", name="Change the name"))
    page.get_by_role("button", name=f"Account: {name}").wait_for()
    dialog = dialog_of(player, "Account:")
    player.press(dialog.get_by_role("button", name="Change the password"))
    dialog.get_by_label("Password", exact=True).fill(PASSWORD)
    dialog.get_by_label("New password").fill("short")
    player.press(dialog.get_by_role("button", name="Change the password"))
    dialog.get_by_test_id("account-problem").filter(has_text="8 to 200").wait_for()
    dialog.get_by_label("New password").fill(OTHER)
    player.press(dialog.get_by_role("button", name="Change the password"))
    code = dialog.get_by_test_id("recovery-code")
    code.wait_for()
    first = code.inner_text()
    player.press(dialog.get_by_role("button", name="I have kept it"))
    dialog = dialog_of(player, "Account:")
    player.press(dialog.get_by_role("button", name="New recovery code"))
    dialog.get_by_label("Password").fill(OTHER)
    player.press(dialog.get_by_role("button", name="Make a new code"))
    dialog.get_by_test_id("recovery-code").wait_for()
    assert dialog.get_by_test_id("recovery-code").inner_text() != first


def test_ones_data_are_downloaded(player):
    registered(player)
    page = player.page
    dialog = dialog_of(player, "Account:")
    with page.expect_download() as download:
        player.press(dialog.get_by_role("link", name="Download my data"))
    told = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert told["account"]["name"] == player.name and told["hands"] == []


def test_the_account_is_deleted(player):
    registered(player)
    page = player.page
    dialog = dialog_of(player, "Account:")
    player.press(dialog.get_by_role("button", name="Delete the account"))
    dialog.get_by_label("Password").fill("wrong password")
    player.press(dialog.get_by_role("button", name="Delete the account"))
    dialog.get_by_test_id("account-problem").filter(has_text="password").wait_for()
    dialog.get_by_label("Password").fill(PASSWORD)
    player.press(dialog.get_by_role("button", name="Delete the account"))
    page.get_by_role("button", name="Register").wait_for()
    dialog = dialog_of(player, "Log in")
    dialog.get_by_label("Name").fill(player.name)
    dialog.get_by_label("Password").fill(PASSWORD)
    player.press(dialog.get_by_role("button", name="Log in"))
    dialog.get_by_test_id("account-problem").filter(has_text="password").wait_for()
