import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, freePort } from '../../support/redis/redis-process.ts';
import { onCore, type Serving, servingOf } from '../serving.ts';

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** The same file from nginx: one worker, an origin map, `limit_req`, the documented headers. */
export async function serveByNginx(body: Buffer): Promise<Serving> {
  const dir = await mkdtemp(join(tmpdir(), 'nginx-'));
  const port = await freePort();
  await chmod(dir, 0o755); // its worker gives up the rights of root
  await writeFile(join(dir, 'announcement.json'), body);
  await writeFile(join(dir, 'nginx.conf'), configOf(dir, port));
  const [command = '', ...args] = [...onCore(0), 'nginx', '-p', dir, '-c', join(dir, 'nginx.conf')];
  const child = spawn(command, [...args, '-g', 'daemon off;'], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => (await fetch(`${url}/content/announcement.json`)).ok);
  return servingOf(child, url, 'SIGTERM'); // the master ends its worker
}

function configOf(dir: string, port: number): string {
  return `
worker_processes 1;
pid ${dir}/nginx.pid;
error_log ${dir}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 100000000;
  set_real_ip_from 127.0.0.1;
  real_ip_header X-Forwarded-For;
  types { application/json json; }
  map $http_origin $allowed_origin {
    default "";
    "https://example.org" $http_origin;
    "~^https://([a-z0-9-]+\\.)+example\\.com$" $http_origin;
  }
  limit_req_zone $binary_remote_addr zone=content:10m rate=1000000r/s;
  client_body_temp_path ${dir}/body; proxy_temp_path ${dir}/proxy; fastcgi_temp_path ${dir}/fastcgi;
  uwsgi_temp_path ${dir}/uwsgi; scgi_temp_path ${dir}/scgi;
  server {
    listen 127.0.0.1:${port};
    location = /content/announcement.json {
      limit_req zone=content burst=1000000 nodelay;
      alias ${dir}/announcement.json;
      add_header Access-Control-Allow-Origin $allowed_origin;
      add_header Vary Origin;
      add_header Cache-Control "public, max-age=900, must-revalidate";
      add_header Cross-Origin-Resource-Policy cross-origin;
      add_header X-Content-Type-Options nosniff;
    }
  }
}
`;
}
