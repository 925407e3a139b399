"""
Tells clients what has changed, in the way of their protocol version.

Up to 2025-11-25 notifications go to every connection, for resources to those that subscribed. From 2026-07-28 on a
client opens a stream with `subscriptions/listen`.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ToolsListChanged

MAX_CONNECTIONS = 64
MAX_URIS = 16
MAX_STREAMS, MAX_WAITING_EVENTS = 64, 256


class Announcements:
    """Remembers who is to be told. A connection is known by a name; the oldest are forgotten beyond MAX_CONNECTIONS."""

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self._bus, max_subscriptions=MAX_STREAMS, max_buffered_events=MAX_WAITING_EVENTS)
        self._sessions: OrderedDict[str, Any] = OrderedDict()
        self._subscribed: dict[str, set[str]] = {}

    def connected(self, name: str, session: Any) -> None:
        """Take note of a connection of the older protocol."""
        self._sessions[name] = session
        self._sessions.move_to_end(name)
        while len(self._sessions) > MAX_CONNECTIONS:
            gone, _ = self._sessions.popitem(last=False)
            self._subscribed.pop(gone, None)

    def subscribe(self, name: str, session: Any, uri: str) -> bool:
        """Note that a connection wants to hear of a resource. False if it has too many already."""
        self.connected(name, session)
        uris = self._subscribed.setdefault(name, set())
        if len(uris) >= MAX_URIS and uri not in uris:
            return False
        uris.add(uri)
        return True

    def unsubscribe(self, name: str, uri: str) -> None:
        """Forget a subscription."""
        self._subscribed.get(name, set()).discard(uri)

    async def tools_changed(self) -> None:
        """Tell everyone that the list of tools is another one."""
        await self._bus.publish(ToolsListChanged())
        for session in list(self._sessions.values()):
            await session.send_tool_list_changed()

    async def updated(self, uri: str) -> None:
        """Tell those who subscribed that a resource has new content."""
        await self._bus.publish(ResourceUpdated(uri))
        for name, session in list(self._sessions.items()):
            if uri in self._subscribed.get(name, ()):
                await session.send_resource_updated(uri)
