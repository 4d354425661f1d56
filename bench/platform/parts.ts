import { type Api, measureApi } from './api.ts'
import { type Latency, measureDispatch } from './dispatch.ts'
import { measureFairness } from './fairness.ts'
import { type IterationCost, langGraphThroughput, measureIterations } from './iterations.ts'
import { measureParked, type Parked } from './parked.ts'
import type { Site } from './site.ts'
import { measureStorage, type Storage } from './storage.ts'
import { measureThroughput, type Throughput } from './throughput.ts'

/** What is measured, in this order. */
export const PARTS = ['iterations', 'throughput', 'dispatch', 'api', 'storage', 'fairness', 'parked'] as const
export type PartName = (typeof PARTS)[number]

/** The measurements of each part that was measured; arrays contain one of each round. */
export interface Results {
  iterations?: { readonly waybill: readonly IterationCost[]; readonly langgraph: readonly IterationCost[] }
  throughput?: readonly (Throughput & { readonly langgraph_iterations_per_s: number })[]
  dispatch?: readonly { readonly idle: Latency; readonly loaded: Latency }[]
  api?: Api
  storage?: Storage
  /** Seconds of each single run. */
  fairness?: readonly number[]
  parked?: Parked
}

interface Size {
  readonly iterations: { readonly runs: number; readonly warmUpRuns: number }
  readonly throughput: {
    readonly runs: number
    readonly calls: number
    readonly warmUpRuns: number
    readonly storeMs: number
    /** Of LangGraph, whose iterations take longer. */
    readonly peerCalls: number
  }
  readonly dispatch: { readonly requests: number; readonly runs: number; readonly storeMs: number }
  readonly api: { readonly seconds: number }
  readonly storage: { readonly runs: number; readonly calls: number }
  readonly fairness: { readonly runs: number; readonly requests: number }
  readonly parked: { readonly runs: number; readonly seconds: number }
}

export const FULL: Size = {
  iterations: { runs: 100, warmUpRuns: 100 },
  throughput: { runs: 500, calls: 40, warmUpRuns: 200, storeMs: 15_000, peerCalls: 5 },
  dispatch: { requests: 200, runs: 500, storeMs: 15_000 },
  api: { seconds: 10 },
  storage: { runs: 200, calls: 20 },
  fairness: { runs: 10_000, requests: 10 },
  parked: { runs: 100_000, seconds: 60 },
}

export const QUICK: Size = {
  iterations: { runs: 10, warmUpRuns: 10 },
  throughput: { runs: 100, calls: 10, warmUpRuns: 20, storeMs: 5_000, peerCalls: 2 },
  dispatch: { requests: 20, runs: 50, storeMs: 3_000 },
  api: { seconds: 2 },
  storage: { runs: 20, calls: 10 },
  fairness: { runs: 1_000, requests: 3 },
  parked: { runs: 100_000, seconds: 10 },
}

/** Measures one part, and adds it to the results. */
export async function measurePart(
  name: PartName,
  site: Site,
  size: Size,
  rounds: number,
  results: Results,
): Promise<void> {
  switch (name) {
    case 'iterations':
      results.iterations = await measureIterations(site, { rounds, ...size.iterations })
      break
    case 'throughput':
      results.throughput = await inRounds(rounds, async () => {
        const { runs, peerCalls } = size.throughput
        const langgraph_iterations_per_s = await langGraphThroughput(site, runs, peerCalls)
        return { ...(await measureThroughput(site, size.throughput)), langgraph_iterations_per_s }
      })
      break
    case 'dispatch':
      results.dispatch = await inRounds(rounds, () => measureDispatch(site, size.dispatch))
      break
    case 'api':
      results.api = await measureApi(site, size.api)
      break
    case 'storage':
      results.storage = await measureStorage(site, size.storage)
      break
    case 'fairness':
      results.fairness = await measureFairness(site, size.fairness)
      break
    case 'parked':
      results.parked = await measureParked(site, size.parked)
      break
  }
}

async function inRounds<T>(rounds: number, act: () => Promise<T>): Promise<readonly T[]> {
  const all: T[] = []
  for (let round = 0; round < rounds; round++) all.push(await act())
  return all
}
