package io.peerlens.load;

/** Limits on requests for those that no controller answers: how often, and how heavy ones. */
public final class LoadLimits {

  private final Bulkhead bulkhead;
  private final RequestRates rates;

  LoadLimits(Bulkhead bulkhead, RequestRates rates) {
    this.bulkhead = bulkhead;
    this.rates = rates;
  }

  /** A place for a heavy request, until it is closed. */
  public interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Counts a request of a caller.
   *
   * @throws io.peerlens.web.ApiException 429 when it has asked too often
   */
  public void count(Object caller) {
    rates.count(caller);
  }

  /**
   * Waits for a place. The caller closes it.
   *
   * @throws io.peerlens.web.ApiException 429 when the caller has too many, 503 when there is no
   *     place in time
   */
  public Place enter(HeavyWork work, Object caller) {
    Bulkhead.Place place = bulkhead.enter(work, caller);
    return place::close;
  }
}
