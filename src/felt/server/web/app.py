"""The service: games, tables and players over HTTP and WebSocket, and the page that uses them."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

import felt
from felt.agents.naming import Entrant
from felt.games.fair import fair_deal
from felt.server.accounts.accounts import Accounts, Passwords
from felt.server.agents.asking import AgentThreads
from felt.server.agents.library import AgentLibrary
from felt.server.net.limits import Limits, UnderWay
from felt.server.net.middleware import BodyLimit, HostCheck, RequestRate, SafeHeaders, Stopping
from felt.server.net.proxies import ForwardedFor, Proxies
from felt.server.study.study import Study
from felt.server.tables.dealer import Shuffle
from felt.server.tables.registry import TableList, Tables
from felt.server.tables.settings import Pace
from felt.server.web import errors, reference
from felt.server.web.routes import account, catalogue, decide, hands, tables
from felt.server.web.schemas.tables import ErrorBody
from felt.server.web.sessions import Sessions
from felt.store.database.db import Store

BASE = "/api/v1"
STATIC = Path(__file__).parent / "static"
TOO_MANY = "too many connections to tables are open: close some of them first"
PLACEHOLDER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Felt</title>
<h1>Felt</h1><p>The service runs. The page has not been built; the interface is described at
<a href="/api/v1/docs">/api/v1/docs</a>.</p></html>"""


def create_app(
    data: Path,
    *,
    pace: Pace | None = None,
    limits: Limits | None = None,
    brains: AgentThreads | None = None,
    shuffle: Shuffle = fair_deal,
    database: str | None = None,
    hosts: frozenset[str] | None = None,
    passwords: Passwords | None = None,
    guests: Mapping[str, Entrant] | None = None,
    proxies: Proxies | None = None,
) -> FastAPI:
    """The service over a data folder, which it takes when it starts and lets go when it stops.

    `database` is the URL of another database than the file in that folder; `hosts` are the names to answer to, if not
    to all; `guests` are further agents that may be invited; `proxies` are trusted to say for whom they ask. Tests bring
    agents, decks and quick passwords of their own.
    """
    limits = limits or Limits()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(data, database)
        secret, thinkers = passwords or Passwords(), brains or AgentThreads()
        study = Study(store, thinkers, limits)
        try:
            app.state.limits = limits
            app.state.sessions = Sessions(store, limits)
            app.state.shelf = thinkers.shelf = AgentLibrary(store.strategies, data / "strategies", guests)
            app.state.tables = Tables(store, pace=pace or Pace(), brains=thinkers, shuffle=shuffle)
            app.state.table_list = TableList(app.state.tables)
            app.state.accounts = Accounts(store, app.state.sessions, app.state.tables, limits, secret)
            app.state.study, app.state.open = study, UnderWay(limits.sockets, "too_many_connections", TOO_MANY)
            await app.state.tables.start()
            await app.state.accounts.start()
            await asyncio.to_thread(catalogue.prepare)
            app.state.warming = asyncio.create_task(thinkers.preparing.usual_games())
            yield
            app.state.warming.cancel()
            await app.state.accounts.stop()
            await app.state.tables.stop()
        finally:
            study.close()
            secret.close()
            store.close()

    app = FastAPI(
        title="Felt",
        version=felt.__version__,
        lifespan=lifespan,
        docs_url=None,  # these pages would be loaded from elsewhere
        redoc_url=None,
        openapi_url=f"{BASE}/openapi.json",
        responses={
            status: {"model": ErrorBody, "description": "Refused"}
            for status in (400, 401, 403, 404, 409, 413, 421, 422, 429, 503)
        },
    )
    errors.install(app)
    app.add_middleware(BodyLimit, most=limits.body)
    app.add_middleware(HostCheck, hosts=hosts)
    app.add_middleware(RequestRate, limits=limits)
    app.add_middleware(Stopping)
    app.add_middleware(SafeHeaders)
    app.add_middleware(ForwardedFor, proxies=proxies or Proxies([]))
    for part in (catalogue, account, tables, hands, decide):
        app.include_router(part.router, prefix=BASE)
    reference.install(app, f"{BASE}/docs")
    if (STATIC / "index.html").is_file():
        app.mount("/", StaticFiles(directory=STATIC, html=True), name="page")
    else:
        app.get("/", include_in_schema=False)(lambda: HTMLResponse(PLACEHOLDER))
    return app
