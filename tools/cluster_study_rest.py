import os, time
def rest(seconds, item):
    time.sleep(seconds * float(os.environ.get("CARDWIN_TEST_SLOW", "1")))
    return item
