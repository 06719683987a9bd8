"""Asks a server with the official client and prints what it got as JSON: client.py URL, with the token in PEERLENS_TOKEN."""

import asyncio
import json
import os
import sys

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client


async def ask(url, token):
    headers = {"Authorization": "Bearer " + token}
    async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            tools = (await client.list_tools()).tools
            found = await client.call_tool("find_objects", {"text": "web-17", "kind": "vm"})
            wrong = await client.call_tool("describe_object", {"object": "nobody"})
            try:
                unknown = str(await client.call_tool("delete_everything", {}))
            except MCPError as error:
                unknown = "error"
            return {
                "tools": [tool.name for tool in tools],
                "readOnly": all(tool.annotations.read_only_hint for tool in tools),
                "text": found.content[0].text,
                "structured": found.structured_content,
                "isError": found.is_error,
                "wrong": wrong.structured_content,
                "wrongIsError": wrong.is_error,
                "unknown": unknown,
            }


print(json.dumps(asyncio.run(ask(sys.argv[1], os.environ["PEERLENS_TOKEN"]))))
