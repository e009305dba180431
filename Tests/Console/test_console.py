"""The console as a person uses it."""

import os
import pathlib
import re
import unittest

from house import BACKEND, CANARIES, LOOKER, OPERATOR, House, Receiver, until
from playwright.sync_api import expect, sync_playwright

PICTURES = pathlib.Path(os.environ["PICTURES"])
CHECKS = (pathlib.Path(__file__).parent / "page_checks.js").read_text()


class ConsoleTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.house = House()
        cls.addClassCleanup(cls.house.close)
        cls.house.live()
        driver = sync_playwright().start()
        cls.addClassCleanup(driver.stop)
        # As root, Chromium has no sandbox; it loads nothing but the gateway's own page.
        cls.browser = driver.chromium.launch(executable_path=os.environ["BROWSER"], args=["--no-sandbox"])
        cls.addClassCleanup(cls.browser.close)
        expect.set_options(timeout=10_000)

    def setUp(self):
        self.said, self.answers = [], []
        self.page = self.open()

    def tearDown(self):
        self.page.context.close()

    def open(self, width=1280, height=900, scheme="light", isTimed=False):
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = context.new_page()
        if isTimed:
            page.clock.install()
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => console.error('policy', event.violatedDirective))")
        page.on("console", lambda message: self.said.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("response", self.keep)
        page.goto(self.house.url)
        return page

    def keep(self, answer):
        text = ""
        if answer.status != 304 and answer.request.method != "DELETE":
            try:
                text = answer.text()
            except Exception:  # The page has gone on; what it was told is not there any more.
                pass
        self.answers.append((answer.status, answer.url, text))

    def sign_in(self, page=None, key=OPERATOR):
        page = page or self.page
        page.get_by_label("API key").fill(key)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()

    def go(self, name, page=None):
        page = page or self.page
        page.get_by_role("navigation").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
        expect(page.get_by_text("Reading…")).to_have_count(0)

    def close_look(self, page, where):
        self.assertEqual(page.evaluate(CHECKS), [], where)

    def no_secret(self, page):
        """P04: nothing that was sent, or handed out once, is in the DOM or in what the page was told."""
        seen = page.content() + "".join(text for _, _, text in self.answers)
        for secret in [*CANARIES, *self.house.payloads, OPERATOR, LOOKER, BACKEND]:
            self.assertNotIn(secret, seen)
        self.assertGreater(len(self.house.payloads), 10)

    def no_complaint(self, *expected):
        said = [text for text in self.said if not any(part in text for part in expected)]
        self.assertEqual(said, [])

    def test_a_wrong_key_opens_nothing_and_a_right_one_does(self):
        expect(self.page.get_by_label("API key")).to_be_focused()
        self.close_look(self.page, "the door")
        for key, words in [("pgk_wrong_0123456789", "not known"), (BACKEND, "admin")]:
            self.page.get_by_label("API key").fill(key)
            self.page.keyboard.press("Enter")
            expect(self.page.get_by_role("alert")).to_contain_text(words)
            self.assertEqual(self.page.get_by_label("API key").input_value(), "")
        self.assertEqual(self.page.context.cookies(), [])
        self.sign_in()
        cookie, = self.page.context.cookies()
        self.assertEqual(
            [cookie[name] for name in ["name", "path", "httpOnly", "secure", "sameSite"]],
            ["__Host-passgate", "/", True, True, "Strict"])
        self.assertEqual(self.page.evaluate("document.cookie"), "")
        self.assertNotIn(OPERATOR, str(self.page.evaluate("[{...sessionStorage}, {...localStorage}]")))
        self.page.reload()
        expect(self.page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
        self.page.get_by_role("button", name="Sign out").click()
        expect(self.page.get_by_text("You are signed out.")).to_be_visible()
        self.assertEqual(self.page.context.cookies(), [])
        self.assertEqual(self.page.locator("#content").inner_html(), "")
        self.no_secret(self.page)
        self.no_complaint("401", "403")

    def test_every_page_shows_what_happened(self):
        page = self.page
        self.sign_in()
        expect(page.locator(".funnel")).to_have_count(3)
        increase = page.locator(".funnel").filter(has_text="Google Pay").filter(has_text="increase_test")
        expect(increase).to_contain_text(re.compile("refused"))
        page.get_by_role("radio", name="1 hour").check()
        expect(page.locator(".funnel")).to_have_count(3)
        self.go("Provisionings")
        expect(page.locator("tbody tr").nth(17)).to_be_visible()
        page.get_by_label("Status").select_option("refused")
        page.get_by_role("button", name="Filter").click()
        expect(page.locator("tbody tr")).to_have_count(1)
        page.get_by_role("row").filter(has_text="provider_rejected").or_(
            page.get_by_role("row").filter(has_text="card_ineligible")).first.get_by_role("link").click()
        expect(page.get_by_role("heading", name="Timeline")).to_be_visible()
        expect(page.get_by_role("heading", name="What to do")).to_be_visible()
        for step in ["received", "reserved", "refused"]:
            expect(page.locator(".timeline").get_by_text(step, exact=True)).to_be_visible()
        self.go("Errors")
        expect(page.locator("article.error").first).to_contain_text("What to do")
        expect(page.get_by_text("provider_unavailable", exact=True)).to_be_visible()
        self.go("Connections")
        for name in ["stripe_test", "increase_test"]:
            expect(page.locator("article").filter(has_text=name)).to_contain_text("Breakerclosed")
        expect(page.locator("article")).to_have_count(2)
        page.get_by_label("Program").select_option("travel")
        expect(page.locator("article")).to_have_count(1)
        expect(page.locator("article")).to_contain_text("imprint_test")
        self.no_secret(page)
        self.no_complaint("401")

    def test_a_migration_is_advanced_paused_resumed_and_rolled_back(self):
        page = self.page
        self.sign_in()
        self.go("Migrations")
        page.get_by_role("link", name="stripe_test → increase_test").click()
        progress = page.get_by_role("region", name="Progress")
        expect(progress).to_contain_text("10 %")
        expect(page.get_by_text("Guard", exact=True)).to_be_visible()
        page.get_by_role("button", name="Advance").click()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()
        expect(page.get_by_role("button", name="Advance")).to_be_focused()
        page.get_by_role("button", name="Advance").click()
        dialog = page.get_by_role("dialog")
        self.close_look(page, "the dialog")
        dialog.get_by_label("New cohort").fill("50")
        dialog.get_by_role("button", name="Advance").click()
        expect(progress).to_contain_text("50 %")
        for name, status in [("Pause", "paused"), ("Resume", "open"), ("Roll back", "rolled back")]:
            page.get_by_role("button", name=name).click()
            dialog.get_by_role("button", name=name).click()
            expect(page.locator(".headline")).to_contain_text(status)
        expect(progress.get_by_role("button")).to_have_count(0)
        told = self.house.ask("GET", f"/v1/migrations/{self.house.migration}")[1]
        self.assertEqual((told["status"], told["cohort"]), ("rolled_back", {"percent": 50}))
        self.no_secret(page)
        self.no_complaint("401")

    def test_dead_letters_are_sent_again(self):
        page = self.page
        self.sign_in()
        self.go("Destinations")
        page.get_by_role("link", name="/hooks").click()
        expect(page.locator(".headline")).to_contain_text("disabled")
        page.get_by_role("radio", name="Dead").check()
        expect(page.locator("tbody tr").last).to_contain_text("dead")
        expect(page.locator("tbody")).to_contain_text("HTTP 410")
        Receiver.status, before = 200, len(Receiver.taken)
        page.get_by_role("button", name="Send dead letters again").click()
        page.get_by_role("dialog").get_by_role("button", name="Send again").click()
        expect(page.locator(".headline")).to_contain_text("enabled")
        page.get_by_role("radio", name="Delivered").check()
        expect(page.locator("tbody tr").first).to_contain_text("HTTP 200")
        until(lambda: len(Receiver.taken) > before, "an event came")
        self.assertRegex(Receiver.taken[-1][0].get("traceparent", ""), r"^00-[0-9a-f]{32}-[0-9a-f]{16}-01$")
        self.no_secret(page)
        self.no_complaint("401")

    def test_a_looker_finds_no_button(self):
        self.sign_in(key=LOOKER)
        self.go("Migrations")
        self.page.get_by_role("link", name="stripe_test → increase_test").click()
        expect(self.page.get_by_role("heading", name="Both sides")).to_be_visible()
        expect(self.page.get_by_role("main").get_by_role("button")).to_have_count(0)
        self.go("Destinations")
        self.page.get_by_role("link", name="/hooks").click()
        expect(self.page.get_by_text("you may look, not replay")).to_be_visible()
        answer = self.page.evaluate("""async () => {
            const session = await (await fetch('/console/api/session')).json();
            const answer = await fetch('/console/api/event_destinations/dest_1/replay', { method: 'POST', body: '{}',
              headers: { 'content-type': 'application/json', 'passgate-csrf': session.csrf } });
            return [answer.status, (await answer.json()).code, session.programs.length];
        }""")
        self.assertEqual(answer, [403, "permission_denied", 1])
        self.no_complaint("401", "403")

    def test_the_page_is_live_and_rests_while_nobody_looks(self):
        page = self.open(isTimed=True)
        self.sign_in(page)
        asked = lambda: sum("overview" in url for _, url, _ in self.answers)
        before = asked()
        for _ in range(3):
            with page.expect_response(lambda answer: "overview" in answer.url):
                page.clock.run_for(5_000)
        page.wait_for_timeout(200)
        self.assertGreater(asked(), before)
        self.assertIn(304, [status for status, url, _ in self.answers if "overview" in url])
        page.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
        page.clock.run_for(5_000)
        page.wait_for_timeout(300)
        before = asked()
        page.clock.run_for(20_000)
        page.wait_for_timeout(300)
        self.assertEqual(asked(), before)
        page.clock.run_for(31 * 60_000)
        expect(page.get_by_text("Your session has ended.")).to_be_visible()
        self.assertEqual(page.locator("#content").inner_html(), "")
        page.context.close()
        self.no_complaint("401")

    def test_a_session_ends_with_its_cookie_and_with_its_key(self):
        self.sign_in()
        self.page.context.clear_cookies()
        expect(self.page.get_by_text("Your session has ended.")).to_be_visible()
        self.sign_in()
        try:
            self.house.reload(isOperatorKnown=False)
            expect(self.page.get_by_text("Your session has ended.")).to_be_visible()
        finally:
            self.house.reload(isOperatorKnown=True)
        self.no_complaint("401")

    def test_the_keyboard_is_enough(self):
        page = self.page
        self.sign_in()
        page.reload()
        expect(page.locator(".funnel").first).to_be_visible()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#main")).to_be_focused()
        page.keyboard.press("Shift+Tab")
        for _ in range(20):
            if page.evaluate("document.activeElement.textContent") == "Provisionings":
                break
            page.keyboard.press("Shift+Tab")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineWidth")
        self.assertEqual(outline, "3px")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1, name="Provisionings")).to_be_visible()
        self.no_complaint("401")

    def test_pages_are_readable_narrow_and_wide_light_and_dark(self):
        first = self.house.ask("GET", "/v1/provisionings?status=unknown")[1]["data"]
        attempt = (first or self.house.ask("GET", "/v1/provisionings")[1]["data"])[0]["id"]
        if self.house.ask("GET", f"/v1/migrations/{self.house.migration}")[1]["status"] != "open":
            self.house.migrate(percent=25)
            for number in range(6):
                self.house.add(f"stripe_{number}")
        places = ["overview", "provisionings", f"provisionings/{attempt}", "errors", "connections", "migrations",
                  f"migrations/{self.house.migration}", "destinations", f"destinations/{self.house.destination}"]
        for width, height, scheme in [(1280, 900, "light"), (1280, 900, "dark"), (360, 780, "light"), (360, 780, "dark")]:
            page = self.open(width, height, scheme)
            page.emulate_media(reduced_motion="reduce")
            expect(page.get_by_label("API key")).to_be_focused()
            page.screenshot(path=PICTURES / f"door-{width}-{scheme}.png")
            self.close_look(page, f"the door, {width}, {scheme}")
            self.sign_in(page)
            for place in places:
                page.evaluate("(place) => { location.hash = `#/${place}`; }", place)
                expect(page.get_by_text("Reading…")).to_have_count(0)
                expect(page.locator("#content > *").first).to_be_visible()
                name = re.sub("/.*", "-one", place)
                self.close_look(page, f"{name}, {width}, {scheme}")
                page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png", full_page=True)
            self.no_secret(page)
            page.context.close()
        self.no_complaint("401")
