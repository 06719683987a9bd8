package io.peerlens.vcenter.inventory;

import java.util.Map;

/** Texts that people wrote, as properties and tags. */
final class Texts {

  private static final int LONGEST = 400;

  private Texts() {}

  /** Puts a text, cut to {@value #LONGEST} characters; nothing when it is empty. */
  static void put(Map<String, String> texts, String key, String text) {
    if (!text.isEmpty()) {
      texts.put(key, text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…");
    }
  }
}
