package io.peerlens.notify.channel;

import io.peerlens.notify.secret.SecretRef;
import io.peerlens.notify.secret.SecretValues;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cache of HTTP clients, one for each target; a new one is made when anything that it was made of
 * has changed: settings, certificates, proxy password.
 */
final class WebhookClients implements AutoCloseable {

  private static final int MOST = 500;

  /** By then all that was under way on a client of before is over. */
  private static final Duration LINGER = Duration.ofMinutes(5);

  private final AddressGuard guard;
  private final Map<Slot, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final ScheduledExecutorService janitor =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("webhook-janitor").factory());

  /** A target has up to two: its receiver may be reached by https and its token by http. */
  private record Slot(UUID target, boolean inClear) {}

  /** Settings that a client is made of. Holds secrets, so it never says what it holds. */
  private record Recipe(
      WebhookSettings settings,
      int connections,
      @Nullable String clientPem,
      @Nullable String proxyCredentials) {
    @Override
    public String toString() {
      return "Recipe";
    }
  }

  private record Kept(Recipe recipe, WebhookClient client) {}

  WebhookClients(AddressGuard guard) {
    this.guard = guard;
    janitor.scheduleWithFixedDelay(this::closeIdle, 15, 15, TimeUnit.SECONDS);
  }

  /**
   * The client of a target.
   *
   * @throws IOException if TLS cannot be set up or the proxy cannot be used
   */
  WebhookClient client(ActiveTarget target, boolean inClear, SecretValues secrets)
      throws IOException {
    WebhookSettings settings = (WebhookSettings) target.settings();
    SecretRef proxySecret = settings.proxy() == null ? null : settings.proxy().credentials();
    Recipe recipe =
        new Recipe(
            settings,
            target.limits().connections(),
            settings.clientKey() == null ? null : secrets.value(settings.clientKey().name()),
            proxySecret == null ? null : secrets.value(proxySecret.name()));
    Slot slot = new Slot(target.id(), inClear);
    WebhookClient known = known(slot, recipe);
    if (known != null) {
      return known;
    }
    WebhookClient made =
        new WebhookClient(
            settings,
            inClear,
            recipe.connections(),
            recipe.clientPem(),
            recipe.proxyCredentials(),
            guard);
    synchronized (kept) {
      WebhookClient other = known(slot, recipe);
      if (other != null) {
        made.close(); // another thread was quicker; two clients would use twice the connections
        return other;
      }
      Kept before = kept.put(slot, new Kept(recipe, made));
      if (before != null) {
        retire(before.client());
      }
      if (kept.size() > MOST) {
        Map.Entry<Slot, Kept> eldest = kept.entrySet().iterator().next();
        kept.remove(eldest.getKey());
        retire(eldest.getValue().client());
      }
    }
    return made;
  }

  private @Nullable WebhookClient known(Slot slot, Recipe recipe) {
    synchronized (kept) {
      Kept known = kept.get(slot);
      return known != null && known.recipe().equals(recipe) ? known.client() : null;
    }
  }

  private void retire(WebhookClient client) {
    janitor.schedule(client::close, LINGER.toSeconds(), TimeUnit.SECONDS);
  }

  private void closeIdle() {
    List<Kept> all;
    synchronized (kept) {
      all = new ArrayList<>(kept.values());
    }
    all.forEach(one -> one.client().closeIdle());
  }

  @Override
  public void close() {
    janitor.shutdownNow();
    synchronized (kept) {
      kept.values().forEach(one -> one.client().close());
      kept.clear();
    }
  }
}
