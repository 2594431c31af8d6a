"""nginx, without and with TLS and HTTP/2: /private/ wants joe and "secret", /redir and /loop redirect."""

from shared import accounts
from shared.server import Account, Server

CONFIGURATION = r"""user nobody nogroup;
daemon off;
worker_processes 1;
pid /mnt/pid;
error_log /mnt/error.log info;
events {{ worker_connections 64; }}
http {{
  client_body_temp_path /mnt/temp/body; proxy_temp_path /mnt/temp/proxy; fastcgi_temp_path /mnt/temp/fastcgi;
  uwsgi_temp_path /mnt/temp/uwsgi; scgi_temp_path /mnt/temp/scgi;
  log_format raw '$request_method $request_uri $server_protocol host=$http_host auth=$http_authorization';
  access_log /mnt/requests raw;
  default_type application/octet-stream;
  types {{ text/html html; text/plain txt; }}
  server {{
    listen 127.0.0.1:{port}{ssl};
    root /srv;
    autoindex on;
    location /private/ {{ auth_basic "test realm"; auth_basic_user_file /mnt/users; }}
    location /redir {{ return 302 {scheme}://127.0.0.1:{port}/pub/a/b; }}
    location /loop {{ return 302 {scheme}://127.0.0.1:{port}/loop; }}
    location /echo {{ default_type text/plain; return 200 "$request_uri|$args|$http_host|$http_authorization\n"; }}
  }}
}}
"""
TLS = " ssl http2; ssl_certificate /mnt/cert.pem; ssl_certificate_key /mnt/key.pem"


def prepare(home, tls):
    accounts.system(home, [])
    if tls:
        home.certify()
    (home.path / "temp").mkdir()
    home.write("users", f"joe:{accounts.SECRET}\n")
    home.write(
        "nginx.conf", CONFIGURATION.format(port=home.port, ssl=TLS if tls else "", scheme="https" if tls else "http")
    )
    return ["/usr/sbin/nginx", "-c", "/mnt/nginx.conf", "-e", "/mnt/error.log"]


def server(name, tls, about):
    return Server(
        name,
        "http",
        about,
        packages=("nginx", "nginx-common"),
        prepare=lambda home: prepare(home, tls),
        accounts=(Account("joe", "secret"),),
        tls=tls,
    )


SERVERS = [server("nginx", None, "HTTP/1.1 with Basic"), server("nginx-tls", "implicit", "HTTPS, by HTTP/2 and HTTP/1.1")]
