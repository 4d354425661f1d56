/** Recorded as `by` of the pause and the end of the pause of a run that is moved. */
export const MOVER = 'a move to another platform'
