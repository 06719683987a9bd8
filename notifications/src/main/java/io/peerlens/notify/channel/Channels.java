package io.peerlens.notify.channel;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/** All channels, one for each kind of target. */
public final class Channels {

  private final Map<TargetType, Channel> byType = new EnumMap<>(TargetType.class);

  public Channels(Collection<? extends Channel> channels) {
    for (Channel channel : channels) {
      if (byType.put(channel.type(), channel) != null) {
        throw new IllegalArgumentException("Two channels for " + channel.type());
      }
    }
  }

  /** The channel for targets of a type. */
  public Channel of(TargetType type) {
    Channel channel = byType.get(type);
    if (channel == null) {
      throw new IllegalStateException("No channel for " + type);
    }
    return channel;
  }
}
