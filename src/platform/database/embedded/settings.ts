/**
 * Settings for a small machine that also runs the platform: a few processes with two pools of 10 connections each,
 * short statements, and a database that mostly appends.
 */
export const SETTINGS: Readonly<Record<string, string>> = {
  // Only processes of this machine, and only with the password.
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '100',
  // The default of PostgreSQL: more would take memory from the workers, and the system caches files as well.
  shared_buffers: '128MB',
  work_mem: '4MB',
  maintenance_work_mem: '64MB',
  // No statement is long enough to gain from compilation or from several processes.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // No copies of this server exist, so the log contains only what a restart needs, and takes little of the disk.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '512MB',
  // A finished append must survive a power loss.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Progress rows change with each append: without it they would fill the disk.
  autovacuum: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  // The log must not contain data of organisations: no statements, and no details, which quote rows.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}
