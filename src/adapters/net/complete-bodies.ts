import { pipeline, type Transform, Writable } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import type { Dispatcher } from 'undici'

/**
 * Makes compressed bodies fail that end before their last block. `fetch` decompresses them as browsers do, for which the
 * beginning of a body is a whole one. Each body is decompressed a second time, and the result is discarded: the end of a
 * response is passed on when that has found the end of the data.
 * @param maxBytes bodies that become larger are not followed: their reader refuses them
 */
export function completeBodies(maxBytes: number): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, options.method === 'HEAD' ? handler : checking(handler, maxBytes))
}

function checking(handler: Dispatcher.DispatchHandler, maxBytes: number): Dispatcher.DispatchHandler {
  let codings: readonly string[] = []
  let check: Check | undefined
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(controller, status, headers, message) {
      codings = codingsIn(headers['content-encoding'])
      return handler.onResponseStart?.(controller, status, headers, message)
    },
    onResponseData(controller, chunk) {
      // Without data there is nothing that could be cut.
      if (codings.length > 0 && chunk.byteLength > 0) {
        check ??= new Check(codings, chunk, maxBytes)
        check.add(chunk)
      }
      return handler.onResponseData?.(controller, chunk)
    },
    onResponseEnd(controller, trailers) {
      if (check === undefined) return handler.onResponseEnd?.(controller, trailers)
      check.end((cut) => {
        if (cut === undefined) handler.onResponseEnd?.(controller, trailers)
        else handler.onResponseError?.(controller, cut)
      })
    },
    onResponseError(controller, error) {
      check?.stop()
      return handler.onResponseError?.(controller, error)
    },
  }
}

/** Returns the codings of a body, outermost last; none if one of them is unknown: `fetch` does not decode it then. */
function codingsIn(header: string | readonly string[] | undefined): readonly string[] {
  const names = [header ?? []]
    .flat()
    .join(',')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length <= MOST && names.every((name) => KNOWN.has(name)) ? names : []
}

/** `fetch` refuses more. */
const MOST = 5
const KNOWN = new Set(['gzip', 'x-gzip', 'deflate', 'br', 'zstd'])

/** Decompresses the bytes of a body, and discards the result. */
class Check {
  readonly #first: Transform
  #cut: Error | undefined
  #isDone = false
  #whenDone: (cut: Error | undefined) => void = () => {}

  constructor(codings: readonly string[], beginning: Uint8Array, maxBytes: number) {
    const streams = codings.toReversed().map((name, n) => decoderOf(name, n === 0 ? beginning : undefined))
    this.#first = streams[0] as Transform
    let size = 0
    const discarded = new Writable({
      write: (chunk: Uint8Array, _encoding, next) => {
        size += chunk.byteLength
        if (size > maxBytes) this.stop()
        next()
      },
    })
    pipeline([...streams, discarded], (error) => this.#done(isCut(error) ? error : undefined))
  }

  add(chunk: Uint8Array): void {
    if (!this.#isDone) this.#first.write(chunk)
  }

  /** @param whenDone called with the error of a body that is not complete */
  end(whenDone: (cut: Error | undefined) => void): void {
    this.#whenDone = whenDone
    if (this.#isDone) whenDone(this.#cut)
    else this.#first.end()
  }

  stop(): void {
    this.#done(undefined)
    this.#first.destroy()
  }

  #done(cut: Error | undefined): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#cut = cut
    this.#whenDone(cut)
  }
}

/** Data that is not of its coding fails in `fetch` as well. */
function isCut(error: NodeJS.ErrnoException | null | undefined): error is NodeJS.ErrnoException {
  return error?.code === 'Z_BUF_ERROR' || /unexpected end of file/.test(error?.message ?? '')
}

/** @param beginning of the body: some servers send `deflate` without its header, which `fetch` reads as well */
function decoderOf(coding: string, beginning: Uint8Array | undefined): Transform {
  switch (coding) {
    case 'deflate':
      return beginning !== undefined && ((beginning[0] ?? 0) & 0x0f) !== 0x08
        ? createInflateRaw()
        : createInflate()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress()
    default:
      return createGunzip()
  }
}
