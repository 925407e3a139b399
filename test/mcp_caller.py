"""A client program that is made to be killed: it starts `rta mcp`, makes one call and waits for its end."""

from __future__ import annotations

import asyncio
import json
import os
import sys

from mcp import Client, stdio_client, StdioServerParameters
from robot_tool_agent.mcp_server.results import CALL_ID_KEY


async def main(name: str, arguments_json: str, call_id: str) -> None:
    """Make the call."""
    server = StdioServerParameters(
        command=sys.executable, args=['-m', 'robot_tool_agent.cli', 'mcp'], env=dict(os.environ)
    )
    async with Client(stdio_client(server)) as client:
        result = await client.call_tool(name, json.loads(arguments_json), meta={CALL_ID_KEY: call_id})
        print(json.dumps(result.structured_content), flush=True)


if __name__ == '__main__':
    asyncio.run(main(*sys.argv[1:]))
