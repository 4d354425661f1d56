import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mountTypeOf, networkFileSystem } from '../../../src/adapters/records/sqlite/network-file-system.ts'
import { assertSafeSqlite, isSafeSqlite } from '../../../src/adapters/records/sqlite/sqlite-version.ts'

describe('the version of SQLite', () => {
  const table: readonly (readonly [string, boolean])[] = [
    ['3.51.3', true],
    ['3.51.10', true],
    ['3.52.0', true],
    ['4.0.0', true],
    ['3.51.3.1', true],
    ['3.51.2', false],
    ['3.51', false],
    ['3.9.9', false],
    ['3.50.99', false],
    ['2.99.99', false],
    ['', false],
    ['unknown', false],
  ]
  for (const [version, safe] of table)
    test(`"${version}" is ${safe ? 'used' : 'refused'}`, () => {
      assert.equal(isSafeSqlite(version), safe)
      if (safe) assertSafeSqlite(version)
      else assert.throws(() => assertSafeSqlite(version), { code: 'SQLITE_TOO_OLD' })
    })
  test('a Node.js without SQLite is refused', () => {
    assert.throws(() => assertSafeSqlite(undefined), { code: 'SQLITE_TOO_OLD' })
  })
})

describe('network file systems', () => {
  const table: readonly (readonly [number, string | undefined, boolean])[] = [
    [0x6969, 'nfs4', true],
    [0xff534d42, 'cifs', true],
    // The form of statfs with signed members.
    [0xff534d42 | 0, 'cifs', true],
    [0xfe534d42, 'smb3', true],
    [0x517b, 'smbfs', true],
    [0x5346414f, 'afs', true],
    [0x6b414653, 'afs', true],
    [0x73757245, 'coda', true],
    [0x01021997, '9p', true],
    [0x00c36400, 'ceph', true],
    [0x0bd00bd0, 'lustre', true],
    [0x47504653, 'gpfs', true],
    [0x65735546, 'fuse.sshfs', true],
    [0x65735546, 'fuse.rclone', true],
    [0x65735546, 'fuse.glusterfs', true],
    [0x65735546, 'fuse.juicefs', true],
    [0x65735546, 'fuseblk', false],
    [0x65735546, 'fuse.encfs', false],
    [0x65735546, 'fuse.mergerfs', false],
    [0x65735546, undefined, false],
    [0xef53, 'ext4', false],
    [0x01021994, 'tmpfs', false],
    [0x794c7630, 'overlay', false],
    [0x58465342, 'xfs', false],
    [0x9123683e | 0, 'btrfs', false],
    [0x2fc12fc1, 'zfs', false],
    [0x6a656a63, 'virtiofs', false],
    // The name alone does not identify a local file system.
    [0xef53, 'fuse.sshfs', false],
  ]
  for (const [type, mounted, refused] of table)
    test(`0x${(type >>> 0).toString(16)} ${mounted} is ${refused ? 'refused' : 'used'}`, () => {
      assert.equal(networkFileSystem(type, mounted) !== undefined, refused)
    })

  const MOUNTS = [
    '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
    '30 22 0:26 / /home rw shared:2 - ext4 /dev/vdb rw',
    '31 30 0:27 / /home/ann/remote\\040files rw shared:3 - fuse.sshfs host:/ rw',
    '32 30 0:28 / /mnt/two rw - ext4 /dev/vdc rw',
    '33 30 0:29 / /mnt/two rw - nfs4 server:/x rw',
    '',
  ].join('\n')
  const places: readonly (readonly [string, string | undefined])[] = [
    ['/etc', 'ext4'],
    ['/home/ann', 'ext4'],
    ['/home/ann/remote files', 'fuse.sshfs'],
    ['/home/ann/remote files/deep/er', 'fuse.sshfs'],
    ['/home/ann/remote files too', 'ext4'],
    ['/mnt/two/x', 'nfs4'],
  ]
  for (const [path, type] of places)
    test(`${path} is on ${type}`, () => assert.equal(mountTypeOf(path, MOUNTS), type))
  test('without a list of mounts the type is unknown', () => assert.equal(mountTypeOf('/x', ''), undefined))
})
