#!/bin/bash
# Is the service healthy? Asks /health by bash's own TCP, as the image has neither curl nor wget.
port=${SERVER_PORT:-8080}
exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n' >&3
read -r -t 4 _ status _ <&3 || exit 1
[ "$status" = 200 ]
