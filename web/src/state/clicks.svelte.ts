/**
 * Clicks are answered one after the other: whoever clicks three times quickly sends three units, although the answer to the
 * first order is still on its way.
 */
export class Clicks {
  /** Clicks and questions to the server that are not answered yet. */
  underWay = $state(0);

  private asking: Promise<void> = Promise.resolve();
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly fail: (error: unknown) => void) {}

  /** Clicks wait until this is done. */
  during(work: Promise<void>): Promise<void> {
    this.asking = work;
    this.underWay++;
    return work.finally(() => this.underWay--);
  }

  inTurn(act: () => Promise<void>): Promise<void> {
    this.underWay++;
    this.last = this.last
      .then(async () => {
        await this.asking;
        await act();
        await this.asking;
      })
      .catch((error: unknown) => this.fail(error))
      .finally(() => this.underWay--);
    return this.last;
  }
}
