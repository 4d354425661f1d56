import { readFileSync, realpathSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { WaybillError } from '../../../document/issue.ts'

/** `f_type` of statfs(2) on Linux, for file systems whose locks are not reliable between machines. */
const NETWORK_TYPES: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  22092: 'NCP',
  1397113167: 'AFS',
  1799439955: 'AFS',
  1937076805: 'CODA',
  16914839: '9P',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  428016422: 'FhGFS',
  18225520: 'GFS2',
  1952539503: 'OCFS2',
  2866260714: 'PanFS',
  19993000: 'IBRIX',
}
const FUSE = 0x65735546
/** Names of network FUSE file systems in /proc/self/mountinfo. */
const NETWORK_FUSE =
  /^fuse\.(sshfs|rclone|s3fs|goofys|gcsfuse|geesefs|mount-s3|glusterfs|ceph(-fuse)?|davfs2?|curlftpfs|smbnetfs|juicefs.*|JuiceFS.*|seaweedfs|lustre|moosefs|mfs|beegfs|afp|hdfs|blobfuse2?)$/i

/**
 * Returns the name of the network file system of a folder.
 * @param type `f_type` of statfs; negative where the system gives it as a signed number of 32 bits
 * @param mounted its type in /proc/self/mountinfo, e.g. `fuse.sshfs`; undefined where that is unknown
 * @returns undefined for other file systems
 */
export function networkFileSystem(type: number, mounted: string | undefined): string | undefined {
  const unsigned = type >>> 0
  const known = NETWORK_TYPES[unsigned]
  if (known !== undefined) return known
  if (unsigned === FUSE && mounted !== undefined && NETWORK_FUSE.test(mounted)) return mounted
  return undefined
}

/**
 * Finds the type of the mount that a path is on.
 * @param mountinfo the text of /proc/self/mountinfo
 */
export function mountTypeOf(path: string, mountinfo: string): string | undefined {
  let found: { readonly point: string; readonly type: string | undefined } | undefined
  for (const line of mountinfo.split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const point = before
      .split(' ')[4]
      ?.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))
    if (point === undefined) continue
    const isAbove = path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`)
    // Of two mounts on one mount point, the later hides the earlier.
    if (isAbove && point.length >= (found?.point.length ?? 0)) found = { point, type: after.split(' ')[0] }
  }
  return found?.type
}

/**
 * Throws for a folder on a file system without reliable locks between machines. The folder need not exist.
 * @throws HOME_NETWORK_FILE_SYSTEM
 */
export function assertLocalFileSystem(folder: string): void {
  const existing = nearestExisting(folder)
  if (existing === undefined) return
  const { type } = statfsSync(existing)
  const name = networkFileSystem(Number(type), mountTypeOf(existing, readMountinfo()))
  if (name === undefined) return
  throw new WaybillError('HOME_NETWORK_FILE_SYSTEM', {
    fault: 'refused',
    file: folder,
    message: `${folder} is on a network file system (${name}), where locks between processes are not reliable`,
    hint: 'set WAYBILL_HOME to a folder on a local disk',
  })
}

function nearestExisting(folder: string): string | undefined {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return realpathSync(path)
    } catch {
      if (dirname(path) === path) return undefined
    }
  }
}

function readMountinfo(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}
