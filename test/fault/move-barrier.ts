import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { MovingPlatform } from '../platform/moving-site.ts'

/** A change of a row that a step of a move makes: at the sender, or at the receiver (`arrive`, `refuse`). */
export type MoveStep =
  | 'begin'
  | 'freeze'
  | 'capture'
  | 'give away'
  | 'withdraw'
  | 'take back'
  | 'arrive'
  | 'refuse'

export interface MoveBarrier {
  /** From now on, this step waits before its transaction is committed. */
  raise(step: MoveStep): Promise<void>
  /** Waits until a step waits. */
  reached(): Promise<void>
  /** Cuts the connections of the steps that wait. */
  cut(): Promise<void>
  /** Lets steps that wait continue, if their process lives. */
  lower(): Promise<void>
}

const LOCK = 7700
const BARRIER = `
CREATE TABLE public.move_barrier (step text);
GRANT SELECT ON public.move_barrier TO waybill_app, waybill_engine;
CREATE FUNCTION public.at_move_barrier(step text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM public.move_barrier AS b WHERE b.step = at_move_barrier.step) THEN
    PERFORM pg_advisory_xact_lock(${LOCK});
  END IF;
END $$;
CREATE FUNCTION public.move_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.at_move_barrier(CASE
    WHEN TG_OP = 'INSERT' THEN 'begin'
    WHEN NEW.phase = OLD.phase THEN CASE WHEN OLD.document IS NULL AND NEW.document IS NOT NULL THEN 'capture' END
    WHEN NEW.phase = 'sending' THEN 'freeze'
    WHEN NEW.phase = 'moved' THEN 'give away'
    WHEN NEW.phase = 'withdrawing' THEN 'withdraw'
    WHEN NEW.phase = 'kept' THEN 'take back' END);
  RETURN NEW;
END $$;
CREATE FUNCTION public.arrival_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM public.at_move_barrier(CASE NEW.state WHEN 'owned' THEN 'arrive' ELSE 'refuse' END);
  RETURN NEW;
END $$;
CREATE TRIGGER at_barrier BEFORE INSERT OR UPDATE ON waybill.moves FOR EACH ROW EXECUTE FUNCTION public.move_step();
CREATE TRIGGER at_barrier BEFORE INSERT ON waybill.arrivals FOR EACH ROW EXECUTE FUNCTION public.arrival_step();
`
const WAITING = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = ${LOCK} AND NOT granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** Adds triggers to the database of a platform that stop its moves at a step. */
export async function moveBarrier(t: TestContext, platform: MovingPlatform): Promise<MoveBarrier> {
  // Only the superuser may cut the connections of the other roles.
  const url = new URL(platform.ownerUrl)
  url.username = 'postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  // The database is dropped with its connections.
  client.on('error', () => {})
  t.after(() => client.end())
  await client.query(BARRIER)
  const waiting = async () => (await client.query<{ pid: number }>(WAITING)).rows
  return {
    async raise(step) {
      await client.query(`SELECT pg_advisory_lock(${LOCK})`)
      await client.query('INSERT INTO public.move_barrier VALUES ($1)', [step])
    },
    async reached() {
      for (const end = performance.now() + 30_000; (await waiting()).length === 0; ) {
        assert.ok(performance.now() < end, 'no step has reached the barrier')
        await sleep(10)
      }
    },
    async cut() {
      for (const { pid } of await waiting()) await client.query('SELECT pg_terminate_backend($1)', [pid])
    },
    async lower() {
      await client.query('DELETE FROM public.move_barrier')
      await client.query('SELECT pg_advisory_unlock_all()')
    },
  }
}
