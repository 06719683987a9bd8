/** What is wrong with the installation itself, told as alerts are; and heartbeats of targets. */
@NullMarked
package io.peerlens.notify.notice;

import org.jspecify.annotations.NullMarked;
