/** Places at which servers of a test wait until the test lets them continue. */
export interface Gates {
  /** Closes a gate. A gate that was never closed is open. */
  close(name: string): Gate
  /** Waits at a gate if it is closed. */
  pass(name: string): Promise<void>
  openAll(): void
}

export interface Gate {
  /** Resolves when something waits at the gate. */
  readonly reached: Promise<void>
  open(): void
}

export function gates(): Gates {
  const closed = new Map<string, { readonly gate: Gate; arrive(): void; readonly opened: Promise<void> }>()
  return {
    close(name) {
      const reached = Promise.withResolvers<void>()
      const opened = Promise.withResolvers<void>()
      const open = () => {
        closed.delete(name)
        opened.resolve()
      }
      const gate = { reached: reached.promise, open }
      closed.set(name, { gate, arrive: () => reached.resolve(), opened: opened.promise })
      return gate
    },
    async pass(name) {
      const found = closed.get(name)
      found?.arrive()
      await found?.opened
    },
    openAll() {
      for (const { gate } of [...closed.values()]) gate.open()
    },
  }
}
