/**
 * Rankings of who uses the network that people keep: answered and sent by a schedule (by the
 * package notify.report), and watched, so that a talker with too large a share raises an alert
 * ({@link io.peerlens.talker.report.ShareJudge}).
 */
@NullMarked
package io.peerlens.talker.report;

import org.jspecify.annotations.NullMarked;
