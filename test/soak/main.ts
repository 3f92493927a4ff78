// npm run soak -- [minutes]: mixed load on one server, see single-server.ts.
// npm run soak -- --replicas 3 [minutes] …: several servers with one store, see replicas.ts.
if (process.argv.includes('--replicas'))
  await (await import('./replicas.ts')).soakReplicas(process.argv.slice(2));
else await import('./single-server.ts');
